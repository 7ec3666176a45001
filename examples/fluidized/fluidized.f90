! SPDX-License-Identifier: MIT
! A fluid solver in Fortran that is coupled to grains: gas rises through a bed and fluidizes it.
!
! The gas has cells of a grain's size along z and flows steadily, so that continuity alone gives its
! velocity U/void in each cell, for the superficial velocity U. Its drag is that of Ergun (1952).
! For each U the program prints the pressure drop that follows from the impulses and the force on
! the floor, both over the weight of the grains, and their mean height over that at rest. Drag and
! floor bear the weight together. The bed rests until the drop is the weight, which is near the U of
! Ergun's equation for the void in its middle, printed first, and expands from there on.
!
! docs/coupling.md has the physics, examples/drag the same calls in C.
program fluidized
    use, intrinsic :: iso_c_binding
    use dem
    implicit none
    integer, parameter :: across = 6, layers = 20, grains = across * across * layers, cells = 80
    real(c_double), parameter :: pi = 3.14159265358979_c_double, earth = 9.81_c_double, &
        radius = 5e-4_c_double, density = 2500, width = 6.6e-3_c_double, & ! of a grain; of the box
        viscosity = 1.8e-5_c_double, gas = 1.2_c_double, edge = 1e-3_c_double, & ! edge of a cell
        gas_dt = 2e-4_c_double, dt_max = 2e-5_c_double, &
        volume = 4 * pi / 3 * radius**3, weight = grains * density * volume * earth
    real(c_double), target :: solid(cells), flow(2, cells), own_volume = volume
    real(c_double), allocatable, target :: seen(:, :)
    real(c_double) :: start, speed, drag, floor_force, height
    type(c_ptr) :: world
    type(dem_deposition_grid) :: grid
    type(dem_error), target :: error
    integer(c_int64_t) :: floor
    integer :: k, n

    call make
    call check(dem_deposition_grid_init(grid))
    grid%size = [width, width, edge]
    grid%cells = [1, 1, cells]
    grid%boundary(1:2) = DEM_DEPOSITION_PERIODIC
    allocate (seen(2, grains))
    call run(0.0_c_double, 1000, drag, floor_force, start) ! the grains fall and come to rest
    call run(0.0_c_double, 100, drag, floor_force, start)
    n = nint(start / edge) ! the middle of the bed
    print '(a, f5.2, a)', 'Ergun: fluidized from U =', ergun_least(1 - sum(solid(n - 1:n + 2)) / &
        (4 * width**2 * edge)), ' m/s on'
    print '(a)', 'U, m/s  drop/weight  floor/weight  height'
    do k = 1, 6
        speed = 0.1_c_double * k
        call run(speed, 500, drag, floor_force, height) ! until it is steady
        call run(speed, 1000, drag, floor_force, height)
        print '(f6.2, f13.3, f14.3, f8.3)', speed, drag / weight, floor_force / weight, &
            height / start
    end do
    call dem_world_destroy(world)

contains

    !> Steps of the gas: mean drag along z, mean force on the floor, mean height of the grains.
    subroutine run(speed, steps, drag, floor_force, height)
        real(c_double), intent(in) :: speed
        integer, intent(in) :: steps
        real(c_double), intent(out) :: drag, floor_force, height
        type(dem_wall) :: plate
        integer :: step
        drag = 0
        floor_force = 0
        height = 0
        do step = 1, steps
            call gas_step(speed, drag, height)
            call dem_output_init(plate)
            call check(dem_wall_get(world, floor, plate))
            floor_force = floor_force - plate%impulse(3)
        end do
        drag = drag / (steps * gas_dt)
        floor_force = floor_force / (steps * gas_dt)
        height = height / steps
    end subroutine

    !> One step of the gas: adds the impulse that it gave, and the height of the grains.
    subroutine gas_step(speed, impulse, height)
        real(c_double), intent(in) :: speed
        real(c_double), intent(inout) :: impulse, height
        type(dem_view) :: x, v, coefficient, wind, given
        real(c_double), pointer :: row(:), place(:)
        integer(c_int64_t) :: i, made
        made = 0
        x = opened(DEM_FIELD_POSITION)
        v = opened(DEM_FIELD_VELOCITY)
        coefficient = opened(DEM_FIELD_DRAG_COEFFICIENT)
        wind = opened(DEM_FIELD_FLUID_VELOCITY)
        ! the grains' volumes in the cells, and the gas between them: its void and its velocity
        solid = 0
        call must(dem_deposit(grid, x%count, x%data, x%stride, c_loc(own_volume), 0_c_int64_t, &
            1_c_int64_t, c_loc(solid), c_loc(error)))
        flow(1, :) = 1 - solid / (width**2 * edge)
        flow(2, :) = speed / flow(1, :)
        ! what each grain sees of them, by the same weights
        call must(dem_interpolate(grid, x%count, x%data, x%stride, c_loc(flow), 2_c_int64_t, &
            c_loc(seen), 16_c_int64_t, c_loc(error)))
        do i = 0, x%count - 1
            place => dem_view_row(v, i, 3)
            row => dem_view_row(coefficient, i, 1)
            row(1) = ergun_coefficient(seen(1, i + 1), abs(seen(2, i + 1) - place(3)))
            row => dem_view_row(wind, i, 3)
            row = [0.0_c_double, 0.0_c_double, seen(2, i + 1)]
        end do
        call check(dem_world_written_field(world, DEM_FIELD_DRAG_COEFFICIENT))
        call check(dem_world_written_field(world, DEM_FIELD_FLUID_VELOCITY))
        ! the world's own steps; drag follows the velocity of the grain in each of them
        call check(dem_world_impulses_reset(world))
        call check(dem_world_advance(world, gas_dt, dt_max, made))
        ! what the gas gave. A solver of its momentum takes it out of the cells, by dem_deposit
        given = opened(DEM_FIELD_DRAG_IMPULSE)
        x = opened(DEM_FIELD_POSITION)
        do i = 0, given%count - 1
            row => dem_view_row(given, i, 3)
            impulse = impulse + row(3)
            place => dem_view_row(x, i, 3)
            height = height + place(3) / grains
        end do
    end subroutine

    !> The coefficient of a grain's drag, kg/s, at a relative velocity.
    pure real(c_double) function ergun_coefficient(void, speed) result(beta)
        real(c_double), intent(in) :: void, speed
        real(c_double), parameter :: d = 2 * radius
        beta = volume * (150 * (1 - void) * viscosity / (void * d)**2 + &
            1.75_c_double * gas * speed / (void * d))
    end function

    !> The superficial velocity at which a grain at rest has its weight as drag: a root.
    pure real(c_double) function ergun_least(void) result(speed)
        real(c_double), intent(in) :: void
        real(c_double) :: slow, fast
        slow = ergun_coefficient(void, 0.0_c_double) / void
        fast = (ergun_coefficient(void, 1.0_c_double) - ergun_coefficient(void, 0.0_c_double)) / &
            void**2
        speed = (sqrt(slow**2 + 4 * fast * density * volume * earth) - slow) / (2 * fast)
    end function

    !> A box that is periodic in x and y, with grains above a floor.
    subroutine make
        type(dem_world_config) :: config
        type(dem_material) :: glass
        type(dem_linear), target :: law
        type(dem_contact_model) :: model
        type(dem_wall) :: plate
        type(dem_particle) :: p
        integer :: layer
        call check(dem_world_config_init(config))
        config%gravity(3) = -earth
        config%boundary(1:2) = DEM_BOUNDARY_PERIODIC
        config%box_high(1:2) = width
        world = c_null_ptr
        call must(dem_world_create(config, world, c_loc(error)))
        call check(dem_material_init(glass))
        glass%density = density
        call check(dem_material_set(world, 0_c_int32_t, glass))
        call check(dem_linear_init(law))
        law%stiffness_normal = 500
        law%restitution = 0.8_c_double
        call check(dem_contact_model_init(model))
        call check(dem_contact_model_add_linear_csds(model, law))
        call check(dem_contact_model_set(world, 0_c_int32_t, 0_c_int32_t, model))
        call check(dem_wall_init(plate))
        plate%id = 1000000
        floor = plate%id
        call check(dem_wall_add(world, plate, c_null_ptr))
        do k = 0, grains - 1
            layer = k / across**2
            call check(dem_particle_init(p))
            p%radius = radius
            p%position(1) = width / across * mod(k, across) + 0.37_c_double * radius * layer
            p%position(2) = width / across * mod(k / across, across) + &
                0.61_c_double * radius * layer
            p%position(3) = radius * (1.05_c_double + 2.1_c_double * layer)
            call check(dem_particle_add(world, p, c_null_ptr))
        end do
    end subroutine

    type(dem_view) function opened(field) result(view)
        integer(c_int32_t), intent(in) :: field
        call dem_output_init(view)
        call check(dem_world_view(world, field, view))
    end function

    subroutine check(status)
        integer(c_int32_t), intent(in) :: status
        if (status == DEM_OK) return
        print '(3a)', dem_text(dem_status_string(status)), ': ', dem_text(dem_world_error(world))
        error stop 1
    end subroutine

    !> The same of calls that know no world.
    subroutine must(status)
        integer(c_int32_t), intent(in) :: status
        if (status == DEM_OK) return
        print '(3a)', dem_text(dem_status_string(status)), ': ', dem_text(error)
        error stop 1
    end subroutine
end program
