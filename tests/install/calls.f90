! SPDX-License-Identifier: MIT
! dem.f90: kernels, texts, errors and level 1 from Fortran, with a law written in Fortran.
module hooke
    use, intrinsic :: iso_c_binding
    use dem
    implicit none
contains
    integer(c_int32_t) function combine(user, parameters, pair, combined, error) &
            bind(c) result(status)
        type(c_ptr), value :: user, parameters, combined
        type(dem_pair_properties), intent(inout) :: pair
        type(dem_error), intent(inout) :: error
        real(c_double), pointer :: given, made
        call c_f_pointer(parameters, given)
        call c_f_pointer(combined, made)
        made = given
        error%status = DEM_OK
        status = merge(DEM_OK, DEM_ERROR_RANGE, given > 0 .and. .not. c_associated(user) &
            .and. pair%struct_size > 0)
    end function

    integer(c_int32_t) function evaluate(user, n, batch, combined) bind(c) result(status)
        type(c_ptr), value :: user, combined
        integer(c_int64_t), value :: n
        type(dem_contact_batch), intent(inout) :: batch
        real(c_double), pointer :: k, overlap(:), force(:), energy(:)
        call c_f_pointer(combined, k)
        call c_f_pointer(batch%overlap, overlap, [DEM_BATCH_SIZE])
        call c_f_pointer(batch%force_normal, force, [DEM_BATCH_SIZE])
        call c_f_pointer(batch%elastic_energy, energy, [DEM_BATCH_SIZE])
        force(1:n) = k * max(0.0_c_double, overlap(1:n))
        energy(1:n) = 0.5_c_double * force(1:n) * max(0.0_c_double, overlap(1:n))
        status = merge(DEM_OK, DEM_ERROR_CALLBACK, .not. c_associated(user))
    end function

    ! Pushes the first particle.
    integer(c_int32_t) function push(user, world, dt) bind(c) result(status)
        type(c_ptr), value :: user, world
        real(c_double), value :: dt
        type(dem_view) :: view
        real(c_double), pointer :: force(:)
        view%struct_size = c_sizeof(view)
        status = dem_world_view(world, DEM_FIELD_EXTERNAL_FORCE, view)
        if (status /= DEM_OK .or. c_associated(user) .or. dt <= 0) return
        call c_f_pointer(view%data, force, [3])
        force(1) = 4
        status = dem_world_written_field(world, DEM_FIELD_EXTERNAL_FORCE)
    end function

    ! Counts contacts that begin.
    subroutine met(user, key) bind(c)
        type(c_ptr), value :: user
        type(dem_contact_key), intent(in) :: key
        integer(c_int64_t), pointer :: sum
        call c_f_pointer(user, sum)
        sum = sum + key%id_j
    end subroutine
end module

program calls
    use hooke
    implicit none
    integer :: failures = 0
    call kernels
    call texts
    call level1
    call snapshots
    call touches
    call hooks
    call contacts
    call meshes
    call bodies
    call domains
    call fluid
    call cells_of_a_fluid
    call kept_contacts
    if (failures /= 0) error stop 1

contains

    subroutine expect(good, what)
        logical, intent(in) :: good
        character(len=*), intent(in) :: what
        if (good) return
        print '(2a)', 'not ok ', what
        failures = failures + 1
    end subroutine

    subroutine kernels
        real(c_double) :: xi(3), force(3), x(3), q(4), ratio
        real(c_double), parameter :: v(3) = [1.0_c_double, 0.0_c_double, 0.0_c_double], &
            z(3) = [0.0_c_double, 0.0_c_double, 1.0_c_double]
        call expect(dem_kernel_normal_linear(100.0_c_double, 2.0_c_double, 0.5_c_double, &
            -1.0_c_double, 0_c_int32_t) == 52.0_c_double, 'normal force')
        xi = 0
        call dem_kernel_tangential_csds(1.0_c_double, 2.0_c_double, 100.0_c_double, &
            0.5_c_double, v, xi, force)
        call expect(all(force == -2.5_c_double * v) .and. all(xi == 0.5_c_double * v), 'C-SDS')
        xi = 0
        call dem_kernel_tangential_csds_increment(1.0_c_double, 0.0_c_double, 1.0_c_double, &
            0.5_c_double, 4 * v, v, xi, force)
        call expect(all(force == -v) .and. all(xi == v), 'C-SDS at its limit')
        xi = 0
        call dem_kernel_tangential_dsds(1.0_c_double, 0.0_c_double, 1.0_c_double, 4 * v, v, xi, &
            force)
        call expect(all(force == -v) .and. all(xi == v), 'D-SDS at its limit')
        x = z
        call dem_kernel_rotate_minimal(v, z, x)
        call expect(all(abs(x + v) < 1e-15_c_double), 'minimal rotation')
        x = 3 * v + 4 * z
        call dem_kernel_rotate_rescale(z, x)
        call expect(all(abs(x - 5 * v) < 1e-15_c_double), 'project and rescale')
        x = v
        call dem_kernel_rotate_twist(z, 1.0_c_double, x)
        call expect(all(abs(x - [0, 1, 0]) < 1e-15_c_double), 'twist')
        x = [1, 2, 3]
        q = [1, 0, 0, 0]
        call expect(dem_kernel_rotation_mean(x) == 2, 'mean moment')
        call dem_kernel_rotation_momentum(x, q, v, force)
        call expect(abs(force(1) - 0.5_c_double) < 1e-15_c_double, 'momentum')
        call dem_kernel_rotation_velocity(x, q, force, xi)
        call expect(all(abs(xi - v) < 1e-15_c_double), 'angular velocity')
        call dem_kernel_rotation_surplus(x, q, force, xi)
        call expect(all(abs(xi + force - v) < 1e-15_c_double), 'surplus')
        call expect(dem_kernel_rotation_drift(x, 2.0_c_double, force, q, xi) == DEM_OK, 'drift')
        x = z
        call dem_kernel_rotation_to_space(q, x)
        call expect(all(abs(x - [0, -1, 0]) < 1e-15_c_double), 'to space')
        call dem_kernel_rotation_to_body(q, x)
        call expect(all(abs(x - z) < 1e-15_c_double), 'to body')
        call expect(dem_kernel_damping_ratio_cut(2.0_c_double, ratio) == DEM_ERROR_RANGE, 'range')
        call expect(dem_kernel_damping_ratio_cut(0.5_c_double, ratio) == DEM_OK, 'cut')
        call expect(abs(ratio - 0.255275638_c_double) < 1e-9_c_double, 'damping ratio, cut')
        call expect(dem_kernel_damping_ratio_attractive(exp(-acos(-1.0_c_double)), ratio) == &
            DEM_OK, 'attractive')
        call expect(abs(ratio - sqrt(0.5_c_double)) < 1e-15_c_double, 'damping ratio, attractive')
        call expect(dem_kernel_damping_linear(0.5_c_double, 4.0_c_double, 9.0_c_double) == &
            6.0_c_double, 'dashpot')
    end subroutine

    subroutine texts
        type(dem_world_config) :: config
        type(dem_error), target :: error
        type(c_ptr) :: world
        character(kind=c_char), target :: name(5)
        call expect(dem_version() == DEM_HEADER_VERSION, 'version')
        call expect(dem_text(c_null_ptr) == '', 'text of NULL')
        name = dem_c_text('abcd')
        call expect(dem_text(c_loc(name)) == 'abcd', 'text there and back')
        call expect(len(dem_text(dem_status_string(DEM_ERROR_RANGE))) > 3, 'text of a status')
        call expect(dem_world_config_init(config) == DEM_OK, 'init')
        config%material_count = -1
        call expect(dem_world_create(config, world, c_loc(error)) == DEM_ERROR_RANGE, 'refused')
        call expect(.not. c_associated(world), 'NULL on error')
        call expect(index(dem_text(error), 'material_count') > 0, 'message of a failed create')
    end subroutine

    ! Two spheres under a law in Fortran: elastic, so equal masses exchange their velocities.
    subroutine level1
        integer(c_int64_t), target :: ids(1) = [0_c_int64_t], packed(100)
        integer(c_int64_t) :: bytes
        real(c_double), target :: x(3, 2), v(3, 2), f(3, 2), mass(2), radius(2), stiffness
        integer(c_int32_t), target :: pair(2)
        character(kind=c_char), target :: name(6)
        type(dem_contact_history_config) :: history_config
        type(dem_integrator_config) :: integrator_config
        type(dem_integrator_arrays) :: arrays
        type(dem_contacts_input) :: input
        type(dem_contacts_geometry) :: geometry
        type(dem_contact_totals), target :: totals
        type(dem_contact_model) :: model
        type(dem_law) :: law
        type(c_ptr) :: history, integrator
        real(c_double), parameter :: dt = 1e-6_c_double
        real(c_double) :: stored
        integer :: k
        x = 0
        v = 0
        f = 0
        x(1, 2) = 0.021_c_double
        v(1, 1) = 1
        mass = 1e-3_c_double
        radius = 0.01_c_double
        pair = [0, 1]
        stiffness = 1e4_c_double
        name = dem_c_text('other')
        bytes = 0
        call ok(dem_contact_history_config_init(history_config))
        call ok(dem_contact_history_create(history_config, history, c_null_ptr))
        call ok(dem_law_init(law))
        law%name = c_loc(name)
        law%parameters_size = c_sizeof(stiffness)
        law%combined_size = c_sizeof(stiffness)
        law%combine = c_funloc(combine)
        law%evaluate = c_funloc(evaluate)
        call ok(dem_contact_history_law_register(history, law))
        call ok(dem_contact_model_init(model))
        model%parts(1)%law = c_loc(name)
        model%parts(1)%parameters = c_loc(stiffness)
        call ok(dem_contact_history_model_set(history, 0_c_int32_t, 0_c_int32_t, model))
        call ok(dem_integrator_config_init(integrator_config))
        call ok(dem_integrator_create(integrator_config, integrator, c_null_ptr))
        call ok(dem_integrator_arrays_init(arrays))
        arrays%count = 2
        arrays%position = c_loc(x)
        arrays%velocity = c_loc(v)
        arrays%force = c_loc(f)
        arrays%mass = c_loc(mass)
        call ok(dem_contacts_input_init(input))
        input%particle_count = 2
        input%position = c_loc(x)
        input%velocity = c_loc(v)
        input%force = c_loc(f)
        input%mass = c_loc(mass)
        input%radius = c_loc(radius)
        input%pair_count = 1
        input%pairs = c_loc(pair)
        input%dt = dt
        input%velocity_lag = 0.5_c_double * dt
        call dem_output_init(totals)
        stored = 0
        do k = 1, 4000
            call ok(dem_integrator_begin(integrator, arrays, dt))
            f = 0
            call ok(dem_integrator_accelerations(integrator, input%acceleration, &
                input%angular_acceleration))
            call ok(dem_contacts_evaluate(history, input, c_loc(totals)))
            if (dem_contact_history_count(history) == 1 .and. bytes == 0) then
                call ok(dem_contact_history_pack(history, 1_c_int64_t, c_loc(ids), c_loc(packed), &
                    c_sizeof(packed), bytes))
                call ok(dem_contact_history_forget(history, 1_c_int64_t, c_loc(ids)))
                call expect(dem_contact_history_count(history) == 0, 'a contact is forgotten')
                call ok(dem_contact_history_unpack(history, c_loc(packed), bytes))
                call expect(dem_contacts_undo(history) == DEM_ERROR_STATE, 'nothing to take back')
                call ok(dem_contacts_list_begin(history, input))
                call ok(dem_contacts_list_evaluate(history, input, c_null_ptr))
                call ok(dem_contacts_undo(history))
                call ok(dem_contacts_geometry_init(geometry))
                call expect(dem_contacts_list_evaluate_geometry(history, input, geometry, &
                    c_null_ptr) == DEM_ERROR_ARGUMENT, 'a list wants geometry')
                f = f / 2
            end if
            call ok(dem_integrator_end(integrator, arrays))
            stored = max(stored, totals%elastic_energy)
        end do
        call expect(dem_contact_history_count(history) == 0, 'they part')
        call expect(abs(v(1, 1)) < 1e-4_c_double .and. abs(v(1, 2) - 1) < 1e-4_c_double, &
            'velocities are exchanged')
        call expect(abs(stored / 2.5e-4_c_double - 1) < 1e-4_c_double, 'half the energy is stored')
        call dem_integrator_destroy(integrator)
        call dem_contact_history_destroy(history)
    end subroutine

    ! A world comes back from memory and from a file.
    subroutine snapshots
        type(dem_world_config) :: config
        type(c_ptr) :: first, second
        type(dem_particle), target :: particle
        character(kind=c_char), allocatable, target :: path(:)
        integer(c_int64_t), allocatable, target :: buffer(:)
        integer(c_int64_t) :: bytes, written, hash(2)
        call ok(dem_world_config_init(config))
        call ok(dem_world_create(config, first, c_null_ptr))
        call ok(dem_world_create(config, second, c_null_ptr))
        call ok(dem_particle_init(particle))
        particle%radius = 0.5_c_double
        particle%velocity(1) = 1.0_c_double
        call ok(dem_particle_add(first, particle, c_null_ptr))
        call ok(dem_step(first, 1e-3_c_double, 10_c_int64_t))
        call ok(dem_world_snapshot_size(first, bytes))
        allocate(buffer(bytes / 8))
        call ok(dem_world_snapshot(first, c_loc(buffer), bytes, written))
        call expect(written == bytes, 'all is written')
        call ok(dem_world_restore(second, c_loc(buffer), bytes))
        call ok(dem_world_hash(first, hash(1)))
        call ok(dem_world_hash(second, hash(2)))
        call expect(hash(1) == hash(2), 'from memory')
        call ok(dem_step(first, 1e-3_c_double, 5_c_int64_t))
        path = dem_c_text('calls.dem')
        call ok(dem_world_save(first, path))
        call ok(dem_world_load(second, path))
        call ok(dem_world_hash(first, hash(1)))
        call ok(dem_world_hash(second, hash(2)))
        call expect(hash(1) == hash(2), 'from a file')
        buffer = 1
        call expect(dem_world_restore(second, c_loc(buffer), bytes) == DEM_ERROR_FORMAT, &
            'other bytes are refused')
        call dem_world_destroy(first)
        call dem_world_destroy(second)
    end subroutine

    ! A square of two facets, one of which is missing from the next mesh.
    subroutine meshes
        type(dem_mesh_config) :: config
        type(dem_mesh_properties) :: properties
        type(dem_mesh_solid) :: solid
        type(dem_error), target :: error
        type(dem_mesh_search_config) :: search_config
        type(dem_mesh_spheres) :: spheres
        type(dem_mesh_contacts) :: contacts
        type(dem_wall) :: wall
        type(dem_wall_search_config) :: wall_config
        type(dem_wall_spheres) :: wall_spheres
        type(dem_wall_contacts) :: wall_contacts
        type(dem_contact_history_config) :: history_config
        type(dem_contacts_input) :: input
        type(dem_contacts_geometry) :: geometry
        type(c_ptr) :: mesh, search, history
        real(c_double), pointer :: overlap(:)
        type(dem_polyhedron_config) :: shape_config
        type(dem_polyhedron_search_config) :: shapes_config
        type(dem_polyhedron_motion) :: body
        type(dem_polyhedron_contact) :: touch
        type(dem_polyhedron_law) :: law
        type(dem_polyhedron_load) :: load
        type(c_ptr) :: shape, shapes
        integer(c_int32_t) :: sides(3, 4)
        real(c_double), target :: centre(3) = [0.3_c_double, 0.2_c_double, 0.4_c_double], &
            radius(1) = [0.5_c_double]
        integer(c_int64_t) :: features(1)
        real(c_double) :: x(3, 4)
        integer(c_int32_t) :: facets(3, 2)
        x = reshape([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0], [3, 4])
        facets = reshape([0, 1, 2, 0, 2, 3], [3, 2])
        call ok(dem_mesh_config_init(config))
        call ok(dem_mesh_create(config, x, 4_c_int64_t, facets, 2_c_int64_t, mesh, c_null_ptr))
        call dem_output_init(properties)
        call ok(dem_mesh_properties_get(mesh, properties))
        call expect(properties%area == 1.0_c_double .and. properties%edge_count == 5, 'a square')
        call expect(properties%defects == DEM_MESH_OPEN, 'which is open')
        call dem_output_init(solid)
        call expect(dem_mesh_measure(mesh, solid, c_loc(error)) == DEM_ERROR_FORMAT, 'no solid')
        call expect(index(dem_text(error), 'facet 0 is open') > 0, 'because of a facet')
        call ok(dem_mesh_search_config_init(search_config))
        sides = reshape([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3], [3, 4])
        x(:, 3) = [0.0_c_double, 0.0_c_double, 1.0_c_double]
        x(:, 4) = [0.0_c_double, 1.0_c_double, 0.0_c_double]
        x = x([1, 2, 3], [1, 2, 4, 3])
        call ok(dem_mesh_create(config, x, 4_c_int64_t, sides, 4_c_int64_t, search, c_null_ptr))
        call ok(dem_polyhedron_config_init(shape_config))
        call ok(dem_polyhedron_create(shape_config, search, shape, c_null_ptr))
        call dem_mesh_destroy(search)
        call body_of(shape)
        call ok(dem_polyhedron_search_config_init(shapes_config))
        call ok(dem_polyhedron_search_create(shapes_config, shapes, c_null_ptr))
        call ok(dem_polyhedron_motion_init(body))
        body%shape = shape
        call dem_output_init(touch)
        call ok(dem_polyhedron_search_plane(shapes, body, [0.0_c_double, 0.0_c_double, &
            0.0_c_double], [0.0_c_double, 0.0_c_double, 1.0_c_double], c_null_ptr, touch))
        call expect(touch%state == DEM_POLYHEDRON_TOUCHING, 'a body in a floor')
        call ok(dem_polyhedron_law_init(law))
        law%law = DEM_POLYHEDRON_LAW_LAYER
        law%modulus = 2.0_c_double
        call dem_output_init(load)
        call ok(dem_polyhedron_force(law, touch, 0.0_c_double, load, c_null_ptr))
        call expect(load%normal_force == 2.0_c_double * touch%volume, 'force of a layer')
        call dem_polyhedron_search_destroy(shapes)
        call dem_polyhedron_destroy(shape)
        call ok(dem_mesh_search_create(search_config, mesh, search, c_null_ptr))
        call dem_mesh_destroy(mesh)
        call ok(dem_mesh_spheres_init(spheres))
        spheres%count = 1
        spheres%position = c_loc(centre)
        spheres%radius = c_loc(radius)
        spheres%mesh_row = 1
        call dem_output_init(contacts)
        call ok(dem_mesh_search_spheres(search, spheres, contacts))
        call expect(contacts%count == 1, 'a sphere touches it')
        call ok(dem_contact_history_config_init(history_config))
        call ok(dem_contact_history_create(history_config, history, c_null_ptr))
        call ok(dem_contacts_input_init(input))
        call ok(dem_contacts_geometry_init(geometry))
        input%particle_count = 2
        input%pair_count = contacts%count
        input%pairs = contacts%pairs
        geometry%normal = contacts%normal
        features = -1
        call ok(dem_contact_history_slots(history, input, geometry, DEM_MESH_COSINE, features))
        call expect(features(1) == 0, 'in the first slot')
        call dem_contact_history_destroy(history)
        call dem_mesh_search_destroy(search)
        call ok(dem_wall_init(wall))
        wall%shape = DEM_SHAPE_CYLINDER
        wall%side = DEM_SIDE_INSIDE
        call ok(dem_wall_search_config_init(wall_config))
        call expect(dem_wall_search_create(wall_config, wall, search, c_loc(error)) == &
            DEM_ERROR_RANGE, 'a cylinder of radius 0 is refused')
        call expect(index(dem_text(error), 'dem_wall.size[0]') > 0, 'by its length')
        wall%size(1) = 0.75_c_double
        call ok(dem_wall_search_create(wall_config, wall, search, c_null_ptr))
        call ok(dem_wall_spheres_init(wall_spheres))
        wall_spheres%count = 1
        wall_spheres%position = c_loc(centre)
        wall_spheres%radius = c_loc(radius)
        call dem_output_init(wall_contacts)
        call ok(dem_wall_search_spheres(search, wall_spheres, wall_contacts))
        call expect(wall_contacts%count == 1, 'a sphere touches a drum')
        call c_f_pointer(wall_contacts%overlap, overlap, [1])
        call expect(abs(overlap(1) - norm2(centre(1:2)) + 0.25_c_double) < 1e-15_c_double, &
            'as deep as it should')
        call dem_wall_search_destroy(search)
        config%refused = DEM_MESH_OPEN
        call expect(dem_mesh_create(config, x, 4_c_int64_t, facets, 1_c_int64_t, mesh, &
            c_loc(error)) == DEM_ERROR_FORMAT, 'an open mesh is refused')
        call expect(index(dem_text(error), 'facet 0 is open') > 0, 'by its facet')
        call expect(dem_mesh_create_file(config, dem_c_text('missing.obj'), mesh, &
            c_null_ptr) == DEM_ERROR_FILE, 'a file that is not there')
    end subroutine

    ! A polyhedron is a body of a world, which keeps a reference.
    subroutine body_of(shape)
        type(c_ptr), intent(in) :: shape
        type(dem_world_config) :: config
        type(dem_body) :: body
        type(dem_body_part) :: part(1)
        type(dem_world_counts) :: counts
        type(c_ptr) :: world
        call ok(dem_world_config_init(config))
        call ok(dem_world_create(config, world, c_null_ptr))
        call ok(dem_body_init(body))
        call ok(dem_body_part_init(part(1)))
        body%mass = 1
        body%inertia = 1
        part(1)%shape = shape
        call ok(dem_body_add(world, body, 1_c_int64_t, part, c_null_ptr))
        call ok(dem_step(world, 1e-3_c_double, 1_c_int64_t))
        call dem_output_init(counts)
        call ok(dem_world_counts_get(world, counts))
        call expect(counts%particles == 1, 'a polyhedron is a body')
        call dem_world_destroy(world)
    end subroutine

    ! A dumbbell that is measured, pushed and turned: closed forms of a free body.
    subroutine bodies
        type(dem_world_config) :: config
        type(dem_body) :: body
        type(dem_body_part) :: parts(2)
        type(dem_body_handle), target :: handle
        type(dem_body_handle), target :: found
        type(dem_particle_handle) :: row
        type(dem_particle) :: particle
        type(dem_body_arrays) :: arrays
        type(dem_error) :: error
        type(c_ptr) :: world
        real(c_double) :: uncertainty
        real(c_double), target :: force(3) = [0, 4, 0], torque(3), at(3) = [5, 0, 0], loads(3, 2)
        integer(c_int64_t) :: cursor, number
        integer(c_int64_t), target :: id(2) = 0, bytes
        integer(c_int8_t), allocatable, target :: buffer(:), parcel(:)
        type(dem_body_handle) :: handles(1)
        real(c_double) :: load(6, 1)
        integer :: k
        call ok(dem_body_init(body))
        do k = 1, 2
            call ok(dem_body_part_init(parts(k)))
            parts(k)%radius = 0.5_c_double
            parts(k)%centre = [2 * k - 1, 0, 0]
        end do
        call ok(dem_clump_measure(6 / acos(-1.0_c_double), 2_c_int64_t, parts, body, uncertainty, &
            error))
        call expect(uncertainty < 1e-9_c_double .and. abs(body%mass - 2) < 1e-9_c_double, &
            'two spheres of 1 kg')
        call ok(dem_world_config_init(config))
        call ok(dem_world_create(config, world, c_null_ptr))
        call ok(dem_body_add(world, body, 2_c_int64_t, parts, c_loc(handle)))
        call ok(dem_body_find(world, 1_c_int64_t, found))
        call expect(found%index == handle%index, 'found by its id')
        torque = [0.0_c_double, 0.0_c_double, 2.2_c_double]
        call ok(dem_body_set_force(world, handle, c_loc(force), c_loc(torque)))
        call ok(dem_body_set_motion(world, handle, c_loc(at), c_null_ptr, c_null_ptr, c_null_ptr))
        call ok(dem_step(world, 1e-3_c_double, 100_c_int64_t))
        call dem_output_init(body)
        call ok(dem_body_get(world, handle, body))
        call expect(body%position(1) == 5 .and. abs(body%velocity(2) - 0.2_c_double) < &
            1e-9_c_double, 'its velocity')
        ! moment of inertia 2 (0.4 0.5^2 + 1^2) = 2.2 kg m2
        call expect(abs(body%angular_velocity(3) - 0.1_c_double) < 1e-9_c_double, &
            'its angular velocity')
        call ok(dem_body_part_find(world, handle, 1_c_int64_t, row))
        call ok(dem_particle_init(particle))
        call ok(dem_particle_get(world, row, particle))
        call expect(particle%radius == 0.5_c_double, 'its part')
        call ok(dem_body_arrays_init(arrays))
        arrays%capacity = 2
        arrays%id = c_loc(id)
        arrays%torque = c_loc(loads)
        cursor = 0
        call ok(dem_world_bodies_read(world, cursor, arrays, number))
        call expect(number == 1 .and. id(1) == 1, 'all bodies')
        call expect(abs(loads(3, 1) - 2.2_c_double) < 1e-12_c_double, 'the torque on it')
        handles(1) = handle
        call ok(dem_bodies_pack(world, 1_c_int64_t, handles, c_null_ptr, 0_c_int64_t, &
            c_loc(bytes)))
        allocate(buffer(bytes), parcel(bytes))
        call ok(dem_bodies_pack(world, 1_c_int64_t, handles, c_loc(parcel), bytes, c_null_ptr))
        call ok(dem_bodies_loads_get(world, 1_c_int64_t, handles, load))
        call expect(dem_ghost_bodies_loads_set(world, 1_c_int64_t, handles, load) == &
            DEM_ERROR_STATE, 'no ghost')
        call ok(dem_ghost_bodies_get(world, 1_c_int64_t, handles, c_null_ptr, 0_c_int64_t, &
            c_loc(bytes)))
        deallocate(buffer)
        allocate(buffer(bytes))
        call ok(dem_ghost_bodies_get(world, 1_c_int64_t, handles, c_loc(buffer), bytes, &
            c_null_ptr))
        call ok(dem_bodies_release(world, 1_c_int64_t, handles))
        call ok(dem_ghost_bodies_set(world, c_loc(buffer), bytes, 0.1_c_double, 1_c_int64_t, &
            c_loc(found), c_null_ptr))
        call expect(found%index == handle%index, 'a body that is a ghost')
        call ok(dem_ghost_bodies_loads_set(world, 1_c_int64_t, handles, load))
        call ok(dem_ghost_bodies_set(world, c_null_ptr, 0_c_int64_t, 0.1_c_double, 0_c_int64_t, &
            c_null_ptr, c_null_ptr))
        call expect(dem_world_shape_know(world, c_null_ptr) == DEM_ERROR_ARGUMENT, 'no shape')
        call ok(dem_particles_unpack(world, c_loc(parcel), size(parcel, kind=c_int64_t), &
            c_loc(bytes)))
        call expect(bytes == 2, 'a body travels')
        call expect(dem_body_get(world, handle, body) == DEM_ERROR_HANDLE, 'a stale handle')
        call dem_world_destroy(world)
    end subroutine

    ! Views name what was written through them.
    subroutine touches
        type(dem_world_config) :: config
        type(c_ptr) :: world
        real(c_double) :: values(3, 1)
        values = 0
        call ok(dem_world_config_init(config))
        call ok(dem_world_create(config, world, c_null_ptr))
        call ok(dem_world_written_field(world, DEM_FIELD_EXTERNAL_FORCE))
        call ok(dem_world_written(world))
        call ok(dem_world_field_set(world, DEM_FIELD_VELOCITY, 0_c_int64_t, values))
        call expect(dem_world_written_field(world, DEM_FIELD_RADIUS) == DEM_ERROR_RANGE, &
            'a read-only field is refused')
        call dem_world_destroy(world)
    end subroutine

    ! Data of the host, a hook in each step, and contacts that begin.
    subroutine hooks
        type(dem_linear), target :: law
        type(dem_contact_model) :: model
        type(dem_world_config) :: config
        type(dem_particle) :: particle
        type(dem_particle_handle) :: handle, other
        type(dem_view) :: view
        type(c_ptr) :: world
        integer(c_int64_t), target :: sum = 0
        real(c_double), pointer :: host(:)
        call ok(dem_world_config_init(config))
        config%host_doubles = 2
        config%before_forces = c_funloc(push)
        config%contact_begin = c_funloc(met)
        config%contact_user = c_loc(sum)
        call ok(dem_world_create(config, world, c_null_ptr))
        call ok(dem_linear_init(law))
        law%stiffness_normal = 1000
        call ok(dem_contact_model_init(model))
        call ok(dem_contact_model_add_linear_csds(model, law))
        call ok(dem_contact_model_set(world, 0, 0, model))
        call ok(dem_particle_init(particle))
        particle%radius = 0.5_c_double
        particle%mass = 2
        call ok(dem_particle_add(world, particle, c_null_ptr))
        particle%position(2) = 0.999_c_double
        call ok(dem_particle_add(world, particle, c_null_ptr))
        call ok(dem_particle_find(world, 1_c_int64_t, handle))
        view%struct_size = c_sizeof(view)
        call ok(dem_world_view(world, DEM_FIELD_EXTERNAL_FORCE, view))
        call ok(dem_world_view(world, DEM_FIELD_HOST, view))
        call expect(dem_view_index(view, 0_c_int64_t) == handle%index .and. &
            view%index_count == 2, 'index of a row')
        call ok(dem_particle_find(world, 2_c_int64_t, other))
        call expect(dem_view_index(view, 1_c_int64_t) == other%index, 'index of the next row')
        call c_f_pointer(view%data, host, [4])
        host(4) = 7
        call ok(dem_step(world, 1e-3_c_double, 1_c_int64_t))
        call ok(dem_world_view(world, DEM_FIELD_HOST, view))
        call c_f_pointer(view%data, host, [4])
        call expect(host(4) == 7, 'data of the host')
        call expect(sum == 2, 'a contact that begins')
        call ok(dem_particle_get(world, handle, particle))
        call expect(particle%velocity(1) == 4 / 2.0_c_double * 0.5e-3_c_double, 'a force of a hook')
        call dem_world_destroy(world)
    end subroutine

    ! A sphere that lies on a floor: its contact in arrays.
    subroutine contacts
        type(dem_linear), target :: law
        type(dem_contact_model) :: model
        type(dem_world_config) :: config
        type(dem_wall) :: floor
        type(dem_particle) :: particle
        type(dem_contact_arrays) :: arrays
        type(c_ptr) :: world
        integer(c_int64_t) :: cursor, number
        integer(c_int32_t), target :: material(2, 2)
        real(c_double), target :: force(3, 2), moment(9)
        type(dem_analysis_grid) :: grid
        type(dem_deposition_grid) :: cells
        real(c_double), target :: place(3) = [0.75_c_double, 0.5_c_double, 0.5_c_double]
        real(c_double), target :: solid(2), amount = 3
        real(c_double) :: fullest
        type(dem_analysis_box) :: box(1)
        type(dem_analysis_particles) :: rows
        call ok(dem_world_config_init(config))
        call ok(dem_world_create(config, world, c_null_ptr))
        call ok(dem_linear_init(law))
        law%stiffness_normal = 1000
        call ok(dem_contact_model_init(model))
        call ok(dem_contact_model_add_linear_csds(model, law))
        call ok(dem_contact_model_set(world, 0, 0, model))
        call ok(dem_wall_init(floor))
        call ok(dem_wall_add(world, floor, c_null_ptr))
        call ok(dem_particle_init(particle))
        particle%radius = 0.5_c_double
        particle%mass = 0.1_c_double
        particle%position(3) = 0.49_c_double
        call ok(dem_particle_add(world, particle, c_null_ptr))
        call ok(dem_step(world, 1e-6_c_double, 0_c_int64_t))
        call ok(dem_contact_arrays_init(arrays))
        arrays%capacity = 2
        arrays%material = c_loc(material)
        arrays%force_normal = c_loc(force)
        force = 0
        material = -1
        cursor = 0
        call ok(dem_world_contacts_read(world, cursor, arrays, number))
        call expect(number == 1 .and. force(3, 1) /= 0 .and. all(material(:, 1) == 0) &
            .and. all(material(:, 2) == -1), 'a contact in arrays')
        call ok(dem_analysis_grid_init(grid))
        call dem_output_init(box(1))
        call ok(dem_world_boxes_analyse(world, grid, 1_c_int64_t, box))
        call expect(box(1)%contact_ends == 1 .and. box(1)%moment(9) < 0, 'an analysis')
        call ok(dem_analysis_particles_init(rows))
        rows%capacity = 1
        rows%moment = c_loc(moment)
        call ok(dem_world_particles_analyse(world, rows, number))
        call expect(number == 1 .and. all(moment == box(1)%moment), 'of each particle')
        call ok(dem_deposition_grid_init(cells))
        cells%cells = [2, 1, 1]
        solid = 0
        call ok(dem_deposit(cells, 1_c_int64_t, c_loc(place), 24_c_int64_t, c_loc(amount), &
            8_c_int64_t, 1_c_int64_t, c_loc(solid), c_null_ptr))
        call expect(abs(sum(solid) - amount) < 1e-14_c_double .and. solid(2) > 0, 'a deposit')
        call ok(dem_deposition_fraction_most(2_c_int64_t, c_loc(solid), 8_c_int64_t, &
            c_loc(amount), 0_c_int64_t, c_null_ptr, fullest, c_null_ptr))
        call expect(abs(fullest - maxval(solid)/amount) < 1e-14_c_double, 'the fullest cell')
        call ok(dem_deposition_undisturbed(1e-6_c_double, 1.25_c_double, 1e-3_c_double, &
            1e-3_c_double, fullest, c_null_ptr))
        call expect(fullest > 1e-6_c_double, 'a drag coefficient')
        call ok(dem_world_mark(world))
        call ok(dem_step(world, 1e-6_c_double, 5_c_int64_t))
        call ok(dem_world_rewind(world))
        call expect(dem_world_time(world) == 0, 'back at the mark')
        call ok(dem_world_shrink(world))
        call dem_world_destroy(world)
    end subroutine

    ! Two spheres that push each other apart, each in a world of its own.
    subroutine domains()
        type(c_ptr) :: worlds(2)
        type(dem_world_config) :: config
        type(dem_contact_model) :: model
        type(dem_linear) :: law
        type(dem_particle) :: particle
        type(dem_particle_handle) :: own(1, 2)
        type(dem_particle_handle), target :: ghosts(1, 2)
        type(dem_ghost) :: ghost(1)
        type(dem_world_counts) :: counts
        real(c_double) :: load(6, 1), fluid(3), part(DEM_WALL_PART_SIZE)
        integer(c_int64_t), target :: bytes
        integer(c_int8_t), allocatable, target :: buffer(:)
        integer :: k, step
        call ok(dem_world_config_init(config))
        call ok(dem_linear_init(law))
        law%stiffness_normal = 1000
        call ok(dem_contact_model_init(model))
        call ok(dem_contact_model_add_linear_csds(model, law))
        call ok(dem_particle_init(particle))
        particle%radius = 0.5_c_double
        particle%mass = 1
        do k = 1, 2
            call ok(dem_world_create(config, worlds(k), c_null_ptr))
            call ok(dem_contact_model_set(worlds(k), 0, 0, model))
            particle%id = k
            particle%position(1) = 0.99_c_double * (k - 1)
            call ok(dem_particle_add(worlds(k), particle, c_null_ptr))
            call ok(dem_particle_find(worlds(k), int(k, c_int64_t), own(1, k)))
        end do
        do k = 1, 2
            ghost%struct_size = c_sizeof(ghost(1))
            call ok(dem_ghosts_get(worlds(3 - k), 1_c_int64_t, own(:, 3 - k), ghost))
            call ok(dem_ghosts_set(worlds(k), 1_c_int64_t, ghost, 0.1_c_double, &
                c_loc(ghosts(1, k))))
            call expect(dem_ghosts_wanted(worlds(k)) == 0, 'ghosts are there')
        end do
        do step = 0, 10
            if (step == 5) then
                do k = 1, 2
                    call ok(dem_world_rebuild_order(worlds(k)))
                    call expect(dem_world_rebuild_wanted(worlds(k)) == 0, 'it is ordered')
                end do
            end if
            do k = 1, 2
                call ok(dem_step_begin(worlds(k), merge(0.0_c_double, 1e-3_c_double, step == 0)))
            end do
            do k = 1, 2
                call ok(dem_particles_forces_get(worlds(3 - k), 1_c_int64_t, own(:, 3 - k), load))
                call ok(dem_ghosts_forces_set(worlds(k), 1_c_int64_t, ghosts(:, k), load))
            end do
            do k = 1, 2
                call ok(dem_step_end(worlds(k)))
            end do
        end do
        fluid = [0, 2, 0]
        call ok(dem_ghosts_field_set(worlds(1), DEM_FIELD_FLUID_VELOCITY, 1_c_int64_t, &
            ghosts(:, 1), fluid))
        fluid = 1
        call ok(dem_particles_field_get(worlds(1), DEM_FIELD_FLUID_VELOCITY, 1_c_int64_t, &
            ghosts(:, 1), fluid))
        call expect(all(nint(fluid) == [0, 2, 0]), 'a field of a ghost')
        call ok(dem_particle_init(particle))
        call ok(dem_particle_get(worlds(1), own(1, 1), particle))
        call expect(particle%velocity(1) < -0.05_c_double, 'a ghost pushes')
        call dem_output_init(counts)
        call ok(dem_world_counts_get(worlds(2), counts))
        call expect(counts%ghosts == 1 .and. counts%contacts == 0, 'counted elsewhere')
        call ok(dem_step_begin(worlds(1), 1e-3_c_double))
        part = 0
        call expect(dem_wall_part_get(worlds(1), 77_c_int64_t, part) == DEM_ERROR_HANDLE, 'no wall')
        call expect(dem_wall_total_set(worlds(1), 77_c_int64_t, part) == DEM_ERROR_HANDLE, 'none')
        call ok(dem_step_cancel(worlds(1)))
        call ok(dem_particles_pack(worlds(1), 1_c_int64_t, own(:, 1), c_null_ptr, 0_c_int64_t, &
            c_loc(bytes)))
        allocate(buffer(bytes))
        call ok(dem_particles_pack(worlds(1), 1_c_int64_t, own(:, 1), c_loc(buffer), bytes, &
            c_null_ptr))
        call expect(dem_particles_unpack(worlds(1), c_loc(buffer), bytes, c_loc(bytes)) == &
            DEM_ERROR_DUPLICATE, 'it is here')
        call ok(dem_particles_release(worlds(1), 1_c_int64_t, own(:, 1)))
        call expect(dem_ghosts_wanted(worlds(1)) == 1, 'given away')
        call dem_world_destroy(worlds(1))
        call dem_world_destroy(worlds(2))
    end subroutine

    ! A fluid takes a sphere along: fields, steps of a duration, the impulse it gets back.
    subroutine fluid
        type(dem_world_config) :: config
        type(dem_particle) :: particle
        type(dem_particle_handle), target :: handle
        type(dem_view) :: view
        type(c_ptr) :: world
        integer(c_int64_t) :: steps
        real(c_double), pointer :: impulse(:)
        call ok(dem_world_config_init(config))
        call ok(dem_world_create(config, world, c_null_ptr))
        call ok(dem_particle_init(particle))
        particle%radius = 0.5_c_double
        particle%mass = 2
        call ok(dem_particle_add(world, particle, c_loc(handle)))
        call ok(dem_world_field_set(world, DEM_FIELD_DRAG_COEFFICIENT, 1_c_int64_t, &
            [3.0_c_double]))
        call ok(dem_world_field_set(world, DEM_FIELD_FLUID_VELOCITY, 1_c_int64_t, &
            [4.0_c_double, 0.0_c_double, 0.0_c_double]))
        call ok(dem_world_impulses_reset(world))
        call ok(dem_world_advance(world, 0.1_c_double, 0.01_c_double, steps))
        call expect(abs(dem_world_time(world) - 0.1_c_double) < 1e-15_c_double .and. &
            steps == 10, 'ten steps')
        call ok(dem_particle_get(world, handle, particle))
        call expect(particle%velocity(1) > 0.5_c_double .and. particle%velocity(1) < 0.6_c_double, &
            'it follows the fluid')
        call dem_output_init(view)
        call ok(dem_world_view(world, DEM_FIELD_DRAG_IMPULSE, view))
        call c_f_pointer(view%data, impulse, [3])
        call expect(abs(impulse(1) - 2 * particle%velocity(1)) < 1e-14_c_double, &
            'what the fluid gave is what it has')
        call dem_world_destroy(world)
    end subroutine

    ! Cells of a fluid: by a kernel of the library's, and by weights of one's own.
    subroutine cells_of_a_fluid
        type(dem_deposition_grid) :: grid
        type(dem_deposition_weights), target :: weights
        integer(c_int64_t), target :: begin(2)
        real(c_double), target :: place(3) = [1.2_c_double, 0.5_c_double, 0.5_c_double]
        real(c_double), target :: solid(2), given(2), amount, back, again
        amount = 3
        solid = 0
        given = 0
        call ok(dem_deposition_grid_init(grid))
        grid%cells = [2, 1, 1]
        call ok(dem_deposition_weights_of(grid, place, weights, c_null_ptr))
        begin = [0_c_int64_t, weights%count]
        call expect(abs(sum(weights%weight(1:weights%count)) - 1) < 1e-14_c_double, 'weights')
        call ok(dem_deposit(grid, 1_c_int64_t, c_loc(place), 24_c_int64_t, c_loc(amount), &
            8_c_int64_t, 1_c_int64_t, c_loc(solid), c_null_ptr))
        call ok(dem_deposit_given(1_c_int64_t, c_loc(begin), c_loc(weights%cell), &
            c_loc(weights%weight), 2_c_int64_t, c_loc(amount), 8_c_int64_t, 1_c_int64_t, &
            c_loc(given), c_null_ptr))
        call expect(solid(2) > solid(1) .and. all(abs(given - solid) < 1e-14_c_double), &
            'a deposit by weights of one''s own')
        call ok(dem_interpolate(grid, 1_c_int64_t, c_loc(place), 24_c_int64_t, c_loc(solid), &
            1_c_int64_t, c_loc(back), 8_c_int64_t, c_null_ptr))
        call ok(dem_interpolate_given(1_c_int64_t, c_loc(begin), c_loc(weights%cell), &
            c_loc(weights%weight), 2_c_int64_t, c_loc(solid), 1_c_int64_t, c_loc(again), &
            8_c_int64_t, c_null_ptr))
        call expect(abs(back * amount - sum(solid**2)) < 1e-13_c_double .and. &
            abs(again - back) < 1e-14_c_double, 'back at the particle')
    end subroutine

    ! Contacts that a host keeps in a form of its own: read, removed, added, stored.
    subroutine kept_contacts
        type(dem_contact_history_config) :: config
        type(dem_contact_model) :: model
        type(dem_linear) :: law
        type(dem_contact) :: contact(1)
        type(dem_pair_value) :: value
        type(c_ptr) :: history
        integer(c_int64_t) :: bytes, written, cursor
        integer(c_int64_t), target :: stored(100)
        real(c_double), target :: spring(3) = [0.0_c_double, 1e-4_c_double, 0.0_c_double]
        call ok(dem_contact_history_config_init(config))
        call ok(dem_contact_history_create(config, history, c_null_ptr))
        call ok(dem_linear_init(law))
        law%stiffness_normal = 1000
        call ok(dem_contact_model_init(model))
        call ok(dem_contact_model_add_linear_csds(model, law))
        call ok(dem_contact_history_model_set(history, 0_c_int32_t, 0_c_int32_t, model))
        call dem_output_init(value)
        call ok(dem_contact_history_pair_value(history, 0_c_int32_t, 0_c_int32_t, 0_c_int64_t, &
            value))
        call expect(c_associated(value%name), 'a value of the model')
        call dem_output_init(contact(1))
        contact(1)%key%id_i = 3
        contact(1)%key%id_j = 5
        contact(1)%key%feature = 0
        contact(1)%key%image = 0
        contact(1)%key%reserved = 0
        contact(1)%overlap = 1e-3_c_double
        contact(1)%normal = [1.0_c_double, 0.0_c_double, 0.0_c_double]
        contact(1)%force_normal = contact(1)%normal
        contact(1)%force_tangential = 0
        contact(1)%state = c_loc(spring)
        contact(1)%state_count = 3
        contact(1)%material_i = 0
        contact(1)%material_j = 0
        call ok(dem_contact_history_add(history, 1_c_int64_t, contact))
        call ok(dem_contact_history_snapshot_size(history, bytes))
        call expect(bytes <= c_sizeof(stored), 'room for what is stored')
        call ok(dem_contact_history_snapshot(history, c_loc(stored), c_sizeof(stored), written))
        call ok(dem_contact_history_clear(history))
        call expect(dem_contact_history_count(history) == 0 .and. written == bytes, 'cleared')
        stored(2) = stored(2) + 1
        call expect(dem_contact_history_restore(history, c_loc(stored), bytes) == &
            DEM_ERROR_FORMAT, 'of a newer version')
        call expect(c_associated(dem_contact_history_error(history)), 'which is told')
        stored(2) = stored(2) - 1
        call ok(dem_contact_history_restore(history, c_loc(stored), bytes))
        cursor = 0
        call dem_output_init(contact(1))
        call ok(dem_contact_history_next(history, cursor, contact(1)))
        call expect(contact(1)%key%id_j == 5 .and. contact(1)%overlap == 1e-3_c_double, &
            'restored')
        call dem_contact_history_destroy(history)
    end subroutine

    subroutine ok(status)
        integer(c_int32_t), intent(in) :: status
        call expect(status == DEM_OK, dem_text(dem_status_string(status)))
    end subroutine
end program
